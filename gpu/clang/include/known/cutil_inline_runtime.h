#include <known/cutil.h>
