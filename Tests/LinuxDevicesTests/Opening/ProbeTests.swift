import AccessModel
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct ProbeTests {
  func device(_ node: String?, subsystem: String = "video4linux") -> DeviceFacts {
    DeviceFacts(
      node: node, sysfsPath: "/sys/devices/x/video4linux/video0", subsystem: subsystem,
      kernelName: "video0")
  }

  func error(probing device: DeviceFacts) -> DeviceError? {
    do throws(DeviceError) {
      _ = try LinuxMachine().probe(device)
      return nil
    } catch {
      return error
    }
  }

  @Test func `what is no video node is not opened`() {
    #expect(error(probing: device("/dev/null", subsystem: "mem"))?.code == .notADevice)
    #expect(error(probing: device(nil))?.code == .notADevice)
  }

  @Test func `a device that does not know the question refuses it`() {
    #expect(
      error(probing: device("/dev/null"))
        == DeviceError(.refused, operation: "probe", path: "/dev/null", errno: ENOTTY))
  }

  @Test func `a node that is gone refuses with the error of the open`() {
    #expect(
      error(probing: device("/dev/missing"))
        == DeviceError(.refused, operation: "probe", path: "/dev/missing", errno: ENOENT))
  }
}
