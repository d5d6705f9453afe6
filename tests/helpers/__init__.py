"""What tests build their inputs with, and how they drive the program."""
