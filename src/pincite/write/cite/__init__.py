"""Citations that write themselves: a place, or words to look for, becomes a text that `check` reads and finds true.

target, text_search          what was typed -> the target it means, or Uncitable with the reason
writer                       target and style -> the citation, read back before it is given
proof                        whether a citation holds, asked of the same engine that checks documents
insertion, memory_citation   citations put behind the sentences they support, or into the frontmatter of a memory
"""
