"""How are rounds dealt? By the compiled rules of a game or, where those cannot be compiled, step by step."""
