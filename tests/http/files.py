"""Bodies that are files: schemathesis sends them as they are."""

import schemathesis


@schemathesis.serializer("application/x-subrip", "message/rfc822")
def original(_context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
