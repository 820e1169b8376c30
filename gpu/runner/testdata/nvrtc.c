// A fake of NVRTC: the code of a program is its options.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int nvrtcResult;
typedef struct program { char expression[256], code[4096]; } *nvrtcProgram;

nvrtcResult nvrtcCreateProgram(nvrtcProgram *p, const char *src, const char *name, int n, const char *const *headers, const char *const *names)
{
    *p = calloc(1, sizeof **p);
    return src && name && !n && !headers && !names ? 0 : 3;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *e) { snprintf(p->expression, sizeof p->expression, "%s", e); return 0; }
nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
    if (n < 1 || strncmp(options[0], "--gpu-architecture=", 19))
        return 5;
    snprintf(p->code, sizeof p->code, "CODE %s", options[0] + 19);
    for (int i = 1; i < n; i++) {
        strcat(strcat(p->code, " "), options[i]);
        if (!strcmp(options[i], "-DREFUSE"))
            return 6;
    }
    return 0;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *e, const char **name)
{
    static char lowered[300];
    snprintf(lowered, sizeof lowered, "_Z%zu%s", strlen(e), e);
    *name = lowered;
    return strcmp(e, p->expression) ? 9 : 0;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *n) { *n = 8; return p ? 0 : 1; }
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) { strcpy(log, "refused"); return p ? 0 : 1; }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *n) { *n = strlen(p->code) + 1; return 0; }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *to) { strcpy(to, p->code); return 0; }
