#pragma once
#include <systemd/sd-login.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
