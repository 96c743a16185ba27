#pragma once
#include <systemd/sd-login.h>
