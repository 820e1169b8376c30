#include <known/helper_math.h>
