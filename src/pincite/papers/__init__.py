"""Papers of a corpus as text: how their files, bibliographies and pages are read and written. Touches no disk."""
