import Testing

@testable import AccessModel

struct UdevTriggerTests {
  @Test func `a device without a node and a subsystem is triggered by its name`() {
    let trigger = UdevTrigger(Fixtures.camera.facts)
    #expect(
      trigger.commands(node: nil, device: ("", "video0")) == [
        "udevadm trigger --sysname-match=video0", "udevadm settle",
      ])
  }
}
