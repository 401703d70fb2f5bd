"""The words of each command, as typer sees them: one function a command, which makes a request."""
