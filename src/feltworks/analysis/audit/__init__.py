"""Does a printed figure follow from its rules, and what would the other readings mean?"""
