"""What runs under the toolchain's own interpreter: parse, edit, print, compile.

Imports only the standard library, IREE and our own packages.
"""
