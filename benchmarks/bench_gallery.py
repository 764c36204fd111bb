"""Every game of the gallery under best play: rounds a second on one core against the C yardstick of Fu Bacc.

bench_gallery.py [FOLDER] takes the folder of the C sources; without one it looks beside the project.
"""

from bench_simulate import make_kernels, measure

from feltworks import catalog
from feltworks.simulation.plan import make_plan

DEMANDED = 0.1


def main() -> None:
    catalog.add_examples()
    names = sorted(book.stem for book in catalog.examples_folder().glob("*.toml"))
    measure(make_kernels({name: make_plan(name) for name in names}), dict.fromkeys(names, (r"FuBacc", DEMANDED)))


if __name__ == "__main__":
    main()
