import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// What a watch keeps of directories must never be older than what was told of them.
@Suite struct `What a watch knows of directories` {
  private let machine = LinuxMachine()

  /// The facts of a watched file, beside those that are observed from the start.
  private func compare(_ watch: LinuxWatch, _ path: String) throws -> Bool {
    let question = Question(.path(path))
    let found = try machine.facts(for: question, watchedBy: watch)
    _ = watch.cover([0: found], pollingEvery: .seconds(3600))
    return try machine.facts(for: question) == found
  }

  /// Whether the kernel tells on which mount an object is, and its flags.
  private func isWholeSight(_ path: String) -> Bool {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    _ = observer.look(at: path)
    return observer.sighting(path).map { $0.mountID != nil && $0.reportsFlags } ?? false
  }

  private func isKept(_ watch: LinuxWatch, _ path: String) -> Bool {
    let key = LookMemory.Key(
      who: LookMemory.Who(Question(.path(path))),
      detail: PathKey(AbsolutePath.parent(of: path)))
    return watch.memory.directories(key) != nil
  }

  @Test func `is looked at again when one has changed`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let folder = try directory.directory("folder")
    let file = try directory.file("folder/file")
    let watch = try #require(try machine.watch([.path(file)]) as? LinuxWatch)
    let isWhole = isWholeSight(file)
    // What is covered for the first time was not watched when it was looked at.
    #expect(try compare(watch, file))
    #expect(!isKept(watch, file))
    #expect(try compare(watch, file))
    #expect(isKept(watch, file) == isWhole)

    try directory.setMode(0o640, of: file)
    #expect(watch.takeNews() != .none)
    #expect(isKept(watch, file) == isWhole)
    #expect(try compare(watch, file))

    for mode in [0o750, 0o711] {
      try directory.setMode(mode, of: folder)
      #expect(watch.takeNews() != .none)
      #expect(!isKept(watch, file))
      #expect(try compare(watch, file))
      #expect(try compare(watch, file))
      #expect(isKept(watch, file) == isWhole)
    }

    // Another directory is at the same path.
    #expect(unsafe rename(folder, "\(folder)-before") == 0)
    #expect(watch.takeNews() != .none)
    #expect(try compare(watch, file))
    _ = try directory.directory("folder")
    _ = try directory.file("folder/file")
    #expect(watch.takeNews() != .none)
    #expect(!isKept(watch, file))
    #expect(try compare(watch, file))
  }
}
