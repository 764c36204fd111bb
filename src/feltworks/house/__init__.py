"""The operator's books: may this table open, and where is the money, to the cent?"""
