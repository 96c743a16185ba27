#if UMockdev
  import DevicePermissionsTesting
  import Foundation
  import Glibc
  import LinuxTestSupport

  /// Video devices in the directory of a test bed, and events about them.
  ///
  /// The test bed itself sends without waiting, and ends the process if the receiver is slower.
  /// This type waits, so no event is lost on the way to the receiver's socket.
  struct FakeSysfs {
    let root: String

    init(in testbed: borrowing UMockdevTestbed) throws {
      root = testbed.rootDirectory
      for directory in ["sys/class/video4linux", "sys/devices"] {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(directory)", withIntermediateDirectories: true)
      }
    }

    func path(of name: String) -> String { "/sys/devices/\(name)" }

    /// Adds or changes a device, and sends an event to all listeners.
    func put(_ name: String, isNew: Bool, _ step: Int) throws {
      let directory = root + path(of: name)
      if isNew {
        try SystemError.check(unsafe mkdir(directory, 0o755), "mkdir")
        try SystemError.check(
          unsafe symlink("../../class/video4linux", "\(directory)/subsystem"), "symlink")
      }
      // A concurrent reader sees either the old text or the new one.
      let text = Array("DEVNAME=\(name)\nSTEP=\(step)\n".utf8)
      let file = unsafe open("\(directory)/new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      _ = unsafe write(file, text, text.count)
      close(file)
      try SystemError.check(unsafe rename("\(directory)/new", "\(directory)/uevent"), "rename")
      if isNew {
        try SystemError.check(
          unsafe symlink("../../devices/\(name)", "\(root)/sys/class/video4linux/\(name)"),
          "symlink")
      }
      try send(isNew ? "add" : "change", about: name)
    }

    /// Removes a device, and sends an event to all listeners.
    func remove(_ name: String) throws {
      unlink("\(root)/sys/class/video4linux/\(name)")
      let directory = root + path(of: name)
      for file in ["uevent", "subsystem"] { unlink("\(directory)/\(file)") }
      rmdir(directory)
      try send("remove", about: name)
    }

    private func unlink(_ path: String) { _ = unsafe Glibc.unlink(path) }
    private func rmdir(_ path: String) { _ = unsafe Glibc.rmdir(path) }

    private func send(_ action: String, about name: String) throws {
      let message = Self.message(action, "/devices/\(name)", name)
      let names = try FileManager.default.contentsOfDirectory(atPath: root)
      for name in names where name.hasPrefix("event") {
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
          unsafe bytes.copyBytes(from: Array("\(root)/\(name)".utf8))
        }
        // A monitor that has ended in the meantime refuses the message.
        _ = unsafe withUnsafePointer(to: &address) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            unsafe sendto(
              socket, message, message.count, 0, pointer,
              socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
      }
    }

    /// Returns an event in the format that the udev daemon sends to libudev.
    private static func message(_ action: String, _ path: String, _ name: String) -> [UInt8] {
      let lines = [
        "ACTION=\(action)", "DEVPATH=\(path)", "SUBSYSTEM=video4linux", "SEQNUM=1",
        "DEVNAME=/dev/\(name)",
      ]
      let properties: [UInt8] = lines.flatMap { line -> [UInt8] in Array(line.utf8) + [0] }
      var message = Array("libudev".utf8) + [0]
      func add(_ number: UInt32) {
        message += unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
      }
      add(UInt32(0xFEED_CAFE).bigEndian)
      add(40)
      add(40)
      add(UInt32(properties.count))
      add(hash("video4linux").bigEndian)
      for _ in 0..<3 { add(0) }
      return message + properties
    }

    /// Returns the hash of a subsystem, which the receiver's socket filters by (MurmurHash2).
    private static func hash(_ text: String) -> UInt32 {
      let factor: UInt32 = 0x5BD1_E995
      var rest = Array(text.utf8)[...]
      var hash = UInt32(rest.count)
      while rest.count >= 4 {
        var word = rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        word &*= factor
        word ^= word >> 24
        hash = hash &* factor ^ word &* factor
        rest = rest.dropFirst(4)
      }
      if !rest.isEmpty {
        hash ^= rest.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        hash &*= factor
      }
      hash ^= hash >> 13
      hash &*= factor
      return hash ^ hash >> 15
    }
  }
#endif
