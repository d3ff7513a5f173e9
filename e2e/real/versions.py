"""Says which versions of packages an environment has, in one line. Arguments: their names."""
import sys
from importlib.metadata import version

print(", ".join(f"{name} {version(name)}" for name in sys.argv[1:]))
