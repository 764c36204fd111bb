"""What are wagers worth that one hand decides, where choices are made while its cards come?"""
