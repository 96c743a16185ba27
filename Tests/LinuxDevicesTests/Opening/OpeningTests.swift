import AccessModel
import CCapability
import DeviceAccessCommands
import DevicePermissions
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Opens files with a permitted but not effective capability, in children of this process.
@Suite struct OpeningTests {
  @Test func `a device that may be opened is opened`() async throws {
    let device = try await LinuxMachine().open("/dev/null", for: [.read, .write])
    let flags = fcntl(device.rawValue, F_GETFL)
    #expect(flags & O_ACCMODE == O_RDWR)
    #expect(flags & O_NONBLOCK != 0)
    #expect(fcntl(device.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func `a descriptor is closed with its value`() async throws {
    let number: Int32
    do {
      let device = try await LinuxMachine().open("/dev/full", for: .read)
      number = device.rawValue
      #expect(fcntl(number, F_GETFD) >= 0)
    }
    // Another test may have received the number since, but not for this device.
    let file = try? OpenFile(following: "/proc/self/fd/\(number)", in: AT_FDCWD)
    #expect(file?.device?.number != DeviceNumber(major: 1, minor: 7))
  }

  @Test(arguments: ["/etc/passwd", "/etc"])
  func `what is no device is not opened`(path: String) async {
    await #expect(throws: DeviceError(.notADevice, operation: "open", path: path)) {
      _ = try await LinuxMachine().open(path, for: .read).release()
    }
  }

  @Test func `a symbolic link is not followed`() async throws {
    let root = try TemporaryDirectory()
    let link = try root.link("camera", to: "/dev/null")
    await #expect(
      throws: DeviceError(.refused, operation: "open", path: link, errno: .tooManyLinks)
    ) {
      _ = try await LinuxMachine().open(link, for: .read).release()
    }
  }

  @Test func `a missing device is refused with the error of the system call`() async {
    await #expect(
      throws: DeviceError(.refused, operation: "open", path: "/dev/missing", errno: .noSuchFile)
    ) {
      _ = try await LinuxMachine().open("/dev/missing", for: .read).release()
    }
  }

  @Test(.requiresPrivateMounts)
  func `a permitted capability is raised for the one system call and held by no thread`() async {
    await #expect(processExitsWith: .success) {
      try CapabilityChild.prepare(permitted: "cap_dac_override,cap_dac_read_search=p")
      // The plain system call is refused …
      #expect(CapabilityChild.isRefused("/mnt/closed/null"))
      // … and the one with the raised capability is not.
      let result = DeviceOpener.openWaiting("/mnt/closed/null", for: [.read, .write])
      #expect(result >= 0)
      #expect(fcntl(result, F_GETFL) & O_ACCMODE == O_RDWR)
      #expect(try CapabilityChild.effectiveSetsOfAllThreads().allSatisfy(\.isEmpty))
      let permitted = try CapabilityState().members(of: CAP_PERMITTED)
      #expect(permitted == [.overrideFileAccess, .readAndSearch])
      #expect(CapabilityChild.isRefused("/mnt/closed/null"))
    }
  }

  @Test(.requiresPrivateMounts)
  func `the task that awaits gets the descriptor, and no thread the capability`() async throws {
    // All threads must see the node, so it is not on a private mount.
    let root = try TemporaryDirectory(in: "/var/tmp")
    let node = "\(root.path)/null"
    try PrivateMachine.makeDevice(node, major: 1, minor: 3, mode: 0o600)
    guard case let found = unsafe Glibc.open(node, O_RDWR | O_CLOEXEC), found >= 0 else {
      try Test.cancel("device nodes do not work in /var/tmp")
    }
    close(found)
    await #expect(processExitsWith: .success) { [node = node as String] in
      try CapabilityChild.prepare(permitted: "cap_dac_override=p")
      let device = try await LinuxMachine().open(node, for: [.read, .write])
      #expect(device.rawValue >= 0)
      await withTaskGroup { group in
        for _ in 0..<16 {
          group.addTask { #expect(CapabilityChild.isRefused(node)) }
        }
      }
      #expect(try CapabilityChild.effectiveSetsOfAllThreads().allSatisfy(\.isEmpty))
    }
  }

  @Test(.requiresPrivateMounts)
  func `a whole request raises nothing outside the one call`() async throws {
    let root = try TemporaryDirectory(in: "/var/tmp")
    let node = "\(root.path)/null"
    try PrivateMachine.makeDevice(node, major: 1, minor: 3, mode: 0o600)
    guard case let found = unsafe Glibc.open(node, O_RDWR | O_CLOEXEC), found >= 0 else {
      try Test.cancel("device nodes do not work in /var/tmp")
    }
    close(found)
    await #expect(processExitsWith: .success) { [node = node as String] in
      try CapabilityChild.prepare(permitted: "cap_dac_override=p")
      var machine = LinuxMachine()
      machine.cameraPortal = nil
      let service = PermissionsService(machine: machine)
      // Runs on this thread, because the threads of the pool have no capability.
      let answer = ProgramExecutor().run {
        await service.request(AccessRequest(.path(node), wanted: [.read, .write]))
      }
      #expect(answer.method == .capability)
      #expect(answer.trials.map(\.outcome) == [.unavailable, .unavailable, .granted])
      await withTaskGroup { group in
        for _ in 0..<16 {
          group.addTask { #expect(CapabilityChild.isRefused(node)) }
        }
      }
      #expect(try CapabilityChild.effectiveSetsOfAllThreads().allSatisfy(\.isEmpty))
    }
  }

  /// No driver has the number, which shows only after a capability has allowed the call.
  @Test(.requiresPrivateMounts)
  func `a raised capability is lowered where the open fails`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.makeDevice("/var/tmp/none-\(getpid())", major: 250, minor: 77, mode: 0o600)
      defer { _ = unsafe unlink("/var/tmp/none-\(getpid())") }
      try CapabilityChild.prepare(permitted: "cap_dac_override=p")
      let node = "/var/tmp/none-\(getpid())"
      #expect(CapabilityChild.isRefused(node))
      #expect(DeviceOpener.openWaiting(node, for: [.read, .write]) == -ENXIO)
      #expect(try CapabilityChild.effectiveSetsOfAllThreads().allSatisfy(\.isEmpty))
      #expect(CapabilityChild.isRefused(node))
    }
  }

  @Test(.requiresPrivateMounts)
  func `reading takes the lesser capability, which does not let write`() async {
    await #expect(processExitsWith: .success) {
      try CapabilityChild.prepare(permitted: "cap_dac_read_search=p")
      #expect(DeviceOpener.openWaiting("/mnt/closed/null", for: .read) >= 0)
      #expect(DeviceOpener.openWaiting("/mnt/closed/null", for: .write) == -EACCES)
      #expect(DeviceOpener.openWaiting("/mnt/closed/null", for: [.read, .write]) == -EACCES)
    }
  }

  @Test(.requiresPrivateMounts) func `without a permitted capability the refusal stands`() async {
    await #expect(processExitsWith: .success) {
      try CapabilityChild.prepare(permitted: "=")
      #expect(DeviceOpener.openWaiting("/mnt/closed/null", for: .read) == -EACCES)
    }
  }

  @Test(.requiresPrivateMounts) func `a raised capability opens no file`() async {
    await #expect(processExitsWith: .success) {
      try CapabilityChild.prepare(permitted: "cap_dac_override=p")
      #expect(DeviceOpener.openWaiting("/mnt/secret", for: .read) == Int32.min)
      // Behind a closed directory, this shows only after the open.
      #expect(DeviceOpener.openWaiting("/mnt/closed/secret", for: .read) == Int32.min)
    }
  }
}
