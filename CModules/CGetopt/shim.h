// Makes getopt_long(3) available to Swift, because the Glibc module does not include getopt.h.
#pragma once
#include <getopt.h>
