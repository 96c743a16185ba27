import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Events may arrive faster than they are read, and the thread that reads has other work.
@Suite struct `What happens to files` {
  private static let mask = UInt32(IN_CREATE | IN_DELETE)

  private func isAny(_ watch: Int32, _ name: Span<UInt8>) -> Bool { true }

  /// Causes two events.
  private func change(_ directory: String, _ name: String = "name") {
    #expect(unsafe mkdir("\(directory)/\(name)", 0o700) == 0)
    #expect(unsafe rmdir("\(directory)/\(name)") == 0)
  }

  @Test func `is read in part, and told in order`() throws {
    let directory = try TemporaryDirectory()
    let descriptor = try FileNotifier.open()
    let notifier = FileNotifier(descriptor: descriptor.number)
    _ = try notifier.add(directory.path, Self.mask)
    let count = 3000
    for number in 0..<count { change(directory.path, "\(number)") }
    var names: [String] = []
    notifier.drain(.part, where: isAny) { names.append($0.name) }
    #expect((1..<2 * count).contains(names.count))
    for _ in 0..<100 {
      notifier.drain(.part, where: isAny) { names.append($0.name) }
    }
    #expect(names == (0..<count).flatMap { ["\($0)", "\($0)"] })
  }

  @Test(arguments: [FileNotifier.Share.part, .all])
  func `is not read for ever while more is coming`(share: FileNotifier.Share) throws {
    let directory = try TemporaryDirectory()
    let descriptor = try FileNotifier.open()
    let notifier = FileNotifier(descriptor: descriptor.number)
    _ = try notifier.add(directory.path, Self.mask)
    let count = 4000
    for _ in 0..<count { change(directory.path) }
    var seen = 0
    notifier.drain(share, where: isAny) { _ in
      seen += 1
      // Without a limit, reading would continue until this many events were created.
      if seen < 4 * count { change(directory.path) }
    }
    // The last read can contain a few more.
    if share == .all {
      #expect((2 * count..<2 * count + 1024).contains(seen))
    } else {
      #expect(seen < 2 * count)
    }
  }

  @Test func `is told of names that matter, and of files themselves`() throws {
    let directory = try TemporaryDirectory()
    let folder = try directory.directory("folder")
    let descriptor = try FileNotifier.open()
    let notifier = FileNotifier(descriptor: descriptor.number)
    let watch = try notifier.add(folder, Self.mask | UInt32(IN_DELETE_SELF))
    for name in ["other", "name", "other", "another name that is long"] { change(folder, name) }
    #expect(unsafe rmdir(folder) == 0)
    var names: [String] = []
    func matters(_ number: Int32, _ name: Span<UInt8>) -> Bool {
      number == watch && name.count == 4
    }
    notifier.drain(.all, where: matters) { names.append($0.name) }
    // The kernel reports that the folder is gone, and that its watch has ended.
    #expect(names == ["name", "name", "", ""])
  }
}
