import AccessModel
import CMalloc
import DevicePermissions
import DevicePermissionsTesting
import Glibc

/// What a thousand devices take of memory.
enum Memory {
  private static let count = 1000

  /// Lists and watches a thousand cameras of a machine in memory, and prints what that takes.
  static func measure() async {
    // The runtime, with a machine and everything that the first question needs.
    _ = await look(at: machine(1))
    let bare = resident()
    let machine = machine(count)
    let described = resident()
    let all = await look(at: machine)
    let own = max(0, all - described)
    print(
      """
      memory, bare runtime             \(bare) KiB
      \(count) devices described         + \(described - bare) KiB, which is the test's machine
      listed and watched             + \(own) KiB
        → \(own / 1024) MiB above it; target ≤ 20 MiB \(own <= 20 << 10 ? "met" : "MISSED")
      """)
  }

  private static func machine(_ cameras: Int) -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.run(as: "alice")
      for number in 0..<cameras { $0.addCamera(number) }
      $0.logIn("alice")
    }
  }

  /// Lists the cameras and watches them.
  ///
  /// - Returns: KiB in memory while both are held.
  private static func look(at machine: InMemoryMachine) async -> Int {
    let service = DeviceService(machine: machine)
    do {
      let cameras = try await service.list(.camera)
      var changes = service.changes(to: [Question(.kind(.camera))]).makeAsyncIterator()
      let first = try await changes.next()
      machine.change { $0.setACL("/dev/video0", user: "alice", []) }
      let second = try await changes.next()
      return withExtendedLifetime((cameras, first, second)) { resident() }
    } catch {
      print("the devices could not be looked at: \(error)")
      return 0
    }
  }

  /// KiB that the process has in memory.
  private static func resident() -> Int {
    _ = malloc_trim(0)
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, 256, file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      if words.first == "VmRSS:", words.count > 1 { return Int(words[1]) ?? 0 }
    }
    return 0
  }
}
