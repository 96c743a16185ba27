#pragma once

// libsystemd, which is loaded only when a session or the bus is used. It depends on libraries for
// compression and cryptography, which would slow down the start of every other command.

#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
#include <unistd.h>

#pragma clang assume_nonnull begin

/// The libsystemd functions to load, with the types in its headers.
#define CSYSTEMD_FUNCTIONS(each)         \
  each(sd_pid_get_session)               \
  each(sd_session_get_seat)              \
  each(sd_session_get_type)              \
  each(sd_session_get_uid)               \
  each(sd_session_get_vt)                \
  each(sd_session_get_class)             \
  each(sd_session_is_active)             \
  each(sd_session_is_remote)             \
  each(sd_seat_get_active)               \
  each(sd_uid_get_sessions)              \
  each(sd_uid_get_seats)                 \
  each(sd_login_monitor_new)             \
  each(sd_login_monitor_unref)           \
  each(sd_login_monitor_flush)           \
  each(sd_login_monitor_get_fd)          \
  each(sd_bus_open_system)               \
  each(sd_bus_open_user)                 \
  each(sd_bus_new)                       \
  each(sd_bus_set_address)               \
  each(sd_bus_set_fd)                    \
  each(sd_bus_set_bus_client)            \
  each(sd_bus_start)                     \
  each(sd_bus_is_ready)                  \
  each(sd_bus_close_unref)               \
  each(sd_bus_send)                      \
  each(sd_bus_process)                   \
  each(sd_bus_get_fd)                    \
  each(sd_bus_get_events)                \
  each(sd_bus_get_timeout)               \
  each(sd_bus_message_new_method_call)   \
  each(sd_bus_message_new_method_return) \
  each(sd_bus_message_new_method_error)  \
  each(sd_bus_message_ref)               \
  each(sd_bus_message_unref)             \
  each(sd_bus_message_set_auto_start)    \
  each(sd_bus_message_append_basic)      \
  each(sd_bus_message_open_container)    \
  each(sd_bus_message_close_container)   \
  each(sd_bus_message_get_type)          \
  each(sd_bus_message_get_reply_cookie)  \
  each(sd_bus_message_get_sender)        \
  each(sd_bus_message_get_path)          \
  each(sd_bus_message_get_interface)     \
  each(sd_bus_message_get_member)        \
  each(sd_bus_message_get_signature)     \
  each(sd_bus_message_get_error)         \
  each(sd_bus_message_get_errno)         \
  each(sd_bus_message_at_end)            \
  each(sd_bus_message_enter_container)   \
  each(sd_bus_message_exit_container)    \
  each(sd_bus_message_peek_type)         \
  each(sd_bus_message_read_basic)        \
  each(sd_bus_message_skip)              \
  each(sd_journal_sendv)

#define CSYSTEMD_POINTER(function) __typeof__(function) *_Nonnull function;

// The members never change.
struct __attribute__((swift_attr("@Sendable"), swift_attr("safe"))) csystemd {
  CSYSTEMD_FUNCTIONS(CSYSTEMD_POINTER)
};

#define CSYSTEMD_ADDRESS(function)                       \
  address = dlsym(library, #function);                   \
  if (address == NULL) return NULL;                      \
  __builtin_memcpy(&table.function, &address, sizeof address);

/// Loads the library and returns its functions, or NULL if the library or a function is missing.
///
/// It must be called only once. The library stays loaded.
static inline const struct csystemd *_Nullable csystemd_load(const char *name) {
  static struct csystemd table;
  void *_Nullable address;
  void *_Nullable library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) return NULL;
  CSYSTEMD_FUNCTIONS(CSYSTEMD_ADDRESS)
  return &table;
}

/// secure_getenv(3), which sd-bus calls; glibc declares it only with _GNU_SOURCE.
extern char *_Nullable secure_getenv(const char *name);

/// Replaces a descriptor atomically with dup3(2), so programs that other threads start do not
/// inherit it.
///
/// glibc declares dup3(2) only with _GNU_SOURCE.
static inline int csystemd_replace(int number, int with) {
  return (int)syscall(SYS_dup3, with, number, O_CLOEXEC);
}

#pragma clang assume_nonnull end
