from .notebook_helpers import check as check
from .notebook_helpers import hint as hint
from .notebook_helpers import observe as observe
from .notebook_helpers import status as status
from .predictions import predict as predict
