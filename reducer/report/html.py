"""x"""
from reducer.report.document import Document


def write_html(document: Document) -> str:
    """y"""
    return document.title
