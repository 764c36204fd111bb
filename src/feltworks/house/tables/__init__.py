"""The books of the card tables: numbered slips, signatures, drop periods, and what each table won."""
