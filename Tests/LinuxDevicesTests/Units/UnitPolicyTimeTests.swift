import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `A device policy that was compiled` {
  private func policy(_ arrival: UInt64?) -> UnitDevicePolicy {
    let classes = DeviceClasses(parsing: Array("Character devices:\n 81 video4linux\n".utf8))
    var policy = UnitDevicePolicy(classes: classes) { path in
      path == "/dev/video0" ? (DeviceNumber(major: 81, minor: 0), false) : nil
    }
    policy.arrival = { _ in arrival }
    return policy
  }

  private let node = [UnitSettings.DeviceAllowance(specifier: "/dev/video0", access: "rw")]
  private let group = [UnitSettings.DeviceAllowance(specifier: "char-video4linux", access: "rw")]

  @Test(
    arguments: [
      (100, 50, 0), (50, 100, 1), (50, nil, 1), (nil, 100, 1), (100, 100, 1),
    ] as [(UInt64?, UInt64?, Int)])
  func `lacks a node whose device came later`(
    arrival: UInt64?, compiled: UInt64?, exceptions: Int
  ) {
    var policy = policy(arrival)
    let list = policy.list(.strict, node, compiledAt: compiled)
    #expect(list.exceptions.count == exceptions)
    #expect(policy.missed == (exceptions == 0 ? ["/dev/video0"] : []))
  }

  @Test func `holds a class whenever its devices come`() {
    var policy = policy(100)
    #expect(policy.list(.strict, group, compiledAt: 50).exceptions.count == 1)
    #expect(policy.missed.isEmpty)
  }

  @Test func `is told from udev's time of a device`() {
    #expect(
      UdevDatabase.initializationTime(parsing: Array("S:v4l/x\nI:26746443\nE:A=b\n".utf8))
        == 26_746_443)
    #expect(UdevDatabase.initializationTime(parsing: Array("E:I:5\n".utf8)) == nil)
    #expect(UdevDatabase.initializationTime(parsing: Array("I:many\n".utf8)) == nil)
  }
}
