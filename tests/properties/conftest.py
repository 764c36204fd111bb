"""Properties are tried on the same examples in every run, however busy the machine is."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None, max_examples=150)
settings.load_profile("steady")
