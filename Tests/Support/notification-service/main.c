// Owns org.freedesktop.Notifications on the bus of DBUS_SESSION_BUS_ADDRESS, and prints what it is
// asked to show: a line for each, "PROGRAM|REPLACES|ICON|SUMMARY|BODY|TIME".
//
//   notification-service
//
// It prints "ready" when it owns the name, and ends when its bus does. Exit status: 1 when it could
// not; standard error then says why.
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static int notify(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)data;
  (void)error;
  const char *program, *icon, *summary, *body;
  uint32_t replaces;
  int32_t time;
  int result = sd_bus_message_read(message, "susss", &program, &replaces, &icon, &summary, &body);
  if (result >= 0) result = sd_bus_message_skip(message, "asa{sv}");
  if (result >= 0) result = sd_bus_message_read(message, "i", &time);
  if (result < 0) return result;
  printf("%s|%u|%s|%s|%s|%d\n", program, replaces, icon, summary, body, time);
  fflush(stdout);
  return sd_bus_reply_method_return(message, "u", 1u);
}

static const sd_bus_vtable table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", notify, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

int main(void) {
  sd_bus *bus = NULL;
  int result = sd_bus_open_user(&bus);
  if (result >= 0)
    result = sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/Notifications",
                                      "org.freedesktop.Notifications", table, NULL);
  if (result >= 0) result = sd_bus_request_name(bus, "org.freedesktop.Notifications", 0);
  if (result < 0) {
    fprintf(stderr, "notification-service: %s\n", strerror(-result));
    return 1;
  }
  puts("ready");
  fflush(stdout);
  while (result >= 0) {
    result = sd_bus_process(bus, NULL);
    if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
  }
  return 0;
}
