import AccessModel
import Synchronization
import Testing

@testable import LinuxDevices

@Suite struct `What is left of a device that goes` {
  private func node(_ number: Int, _ role: DeviceRole) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video\(number)", sysfsPath: "/sys/devices/x/video4linux/video\(number)",
      subsystem: "video4linux", kernelName: "video\(number)", seat: "seat0")
    device.role = role
    return device
  }

  @Test func `is no other device, unless it stays`() async throws {
    let looks = Atomic(0)
    let remaining = RemainingNodes { looks.add(1, ordering: .relaxed) }
    func used(_ devices: [DeviceFacts]) -> [String?] {
      remaining.usedDevices(of: .camera, in: devices).map(\.node)
    }
    let (camera, metadata) = (node(0, .capture), node(1, .metadata))
    // What is so from the start counts, however long it has been so.
    #expect(used([metadata]) == ["/dev/video1"])
    #expect(used([camera, metadata]) == ["/dev/video0"])
    #expect(used([metadata]) == [] && used([metadata]) == [])
    #expect(looks.load(ordering: .relaxed) == 1)
    // It comes back at once, or goes as well.
    #expect(used([camera, metadata]) == ["/dev/video0"])
    #expect(used([metadata]) == [] && used([]) == [])
    #expect(used([camera]) == ["/dev/video0"])
    #expect(used([metadata]) == [])
    try await Task.sleep(for: .milliseconds(950))
    #expect(used([metadata]) == ["/dev/video1"] && used([metadata]) == ["/dev/video1"])
    #expect(looks.load(ordering: .relaxed) == 3)
  }

  @Test func `is the device itself, when it is one no more`() {
    let remaining = RemainingNodes {}
    func used(_ devices: [DeviceFacts]) -> [String?] {
      remaining.usedDevices(of: .camera, in: devices).map(\.node)
    }
    // A virtual camera that is fed, and then is not.
    #expect(used([node(9, .capture)]) == ["/dev/video9"])
    #expect(used([node(9, .output)]) == ["/dev/video9"])
    #expect(used([node(9, .output), node(1, .metadata)]) == ["/dev/video9"])
  }
}
