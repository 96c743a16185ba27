#pragma once
#include <sys/acl.h>
#include <acl/libacl.h>
