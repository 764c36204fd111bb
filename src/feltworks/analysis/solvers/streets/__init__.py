"""What are wagers worth when one hand decides them and the player chooses while its cards come?"""
