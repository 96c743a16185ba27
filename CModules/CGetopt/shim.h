// Swift cannot see getopt_long(3): the Glibc module map leaves getopt.h out.
#pragma once
#include <getopt.h>
