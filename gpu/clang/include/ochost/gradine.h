// What the host part of OpenCL sees ahead of its source: nothing. CL/cl.h declares the API.
