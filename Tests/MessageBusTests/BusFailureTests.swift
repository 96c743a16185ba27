import Glibc
import MessageBus
import Testing

@Suite struct `A failure of the bus` {
  /// The system's own message, "No medium found", does not help users.
  @Test func `names the variables where none leads to a bus`() {
    #expect(
      BusFailure(errno: ENOMEDIUM).description
        == "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR names a bus")
    #expect(BusFailure(errno: ENOMEDIUM, text: "gone").description == "gone")
    #expect(BusFailure(errno: ENOENT).description == "No such file or directory")
  }
}
