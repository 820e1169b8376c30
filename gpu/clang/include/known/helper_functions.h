#include <known/helper_cuda.h>
