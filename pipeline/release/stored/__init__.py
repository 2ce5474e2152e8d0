"""Releases in an object store, where nothing can be renamed: files first, a marker last.

    PLACE/NAME/VERSION/release.json      the marker: the release exists since this object does
    PLACE/NAME/VERSION/FILES/...         its public files; FILES is the beginning of the digest of
                                         its manifest.json, which names the digests of all others
    PRIVATE/NAME/VERSION/FILES/...       its private files, in another bucket or on a file system

Two publishers of other content never write the same object, and of the same content they write the
same bytes. The marker is created on condition that there is none: one of them wins.
"""
