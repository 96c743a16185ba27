import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import DeviceWatching
@testable import LinuxDevices

/// The directories that a watch caches must never be older than the reported changes.
@Suite struct `What a watch knows of directories` {
  private let machine = LinuxMachine()

  /// Returns a watch whose cache does not expire, however slow the machine is.
  private func watch(_ path: String) -> LinuxWatch {
    LinuxWatch(
      [.path(path)], roots: MachineRoots(), environment: { _ in nil },
      longestAge: .seconds(3600))
  }

  /// Returns whether the facts of a watched file match the ones observed without a cache.
  private func compare(_ watch: LinuxWatch, _ path: String) throws -> Bool {
    let question = Question(.path(path))
    let found = try machine.facts(for: question, watchedBy: watch)
    _ = watch.cover([0: found], pollingEvery: .seconds(3600))
    return try machine.facts(for: question) == found
  }

  /// Returns whether the kernel reports the mount and the flags of an object.
  private func isWholeSight(_ path: String) -> Bool {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    _ = observer.scan(at: path)
    return observer.sighting(path).map { $0.mountID != nil && $0.reportsFlags } ?? false
  }

  private func isKept(_ watch: LinuxWatch, _ path: String) -> Bool {
    let key = ScanCache.Key(
      who: ScanCache.Who(Question(.path(path))),
      detail: PathKey(AbsolutePath.parent(of: path)))
    return watch.cache.directories(key) != nil
  }

  @Test func `is looked at again when one has changed`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let folder = try directory.directory("folder")
    let file = try directory.file("folder/file")
    let watch = watch(file)
    let isWhole = isWholeSight(file)
    // Objects that are covered for the first time were not watched during their scan.
    #expect(try compare(watch, file))
    #expect(!isKept(watch, file))
    #expect(try compare(watch, file))
    #expect(isKept(watch, file) == isWhole)

    try directory.setMode(0o640, of: file)
    #expect(watch.takeAllChanges() != .none)
    #expect(isKept(watch, file) == isWhole)
    #expect(try compare(watch, file))

    for mode in [0o750, 0o711] {
      try directory.setMode(mode, of: folder)
      #expect(watch.takeAllChanges() != .none)
      #expect(!isKept(watch, file))
      #expect(try compare(watch, file))
      #expect(try compare(watch, file))
      #expect(isKept(watch, file) == isWhole)
    }

    // Another directory is now at the same path.
    #expect(unsafe rename(folder, "\(folder)-before") == 0)
    #expect(watch.takeAllChanges() != .none)
    #expect(try compare(watch, file))
    _ = try directory.directory("folder")
    _ = try directory.file("folder/file")
    #expect(watch.takeAllChanges() != .none)
    #expect(!isKept(watch, file))
    #expect(try compare(watch, file))
  }

  @Test func `is kept while only the last object comes and goes`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let folder = try directory.directory("folder")
    let last = try directory.directory("folder/last")
    let watch = watch(last)
    let isWhole = isWholeSight(last)
    for _ in 0..<2 { #expect(try compare(watch, last)) }
    for round in 0..<20 {
      #expect(unsafe rmdir(last) == 0)
      #expect(watch.takeAllChanges() != .none)
      #expect(isKept(watch, last) == isWhole)
      #expect(try compare(watch, last))
      // Occasionally the object is not a directory.
      if round % 3 == 0 {
        #expect(unsafe symlink("/tmp", last) == 0)
        #expect(watch.takeAllChanges() != .none)
        #expect(try compare(watch, last))
        #expect(unsafe unlink(last) == 0)
      }
      #expect(unsafe mkdir(last, 0o700) == 0)
      #expect(watch.takeAllChanges() != .none)
      #expect(isKept(watch, last) == isWhole)
      for _ in 0..<2 { #expect(try compare(watch, last)) }
    }
    // Two directories are swapped.
    let other = try directory.directory("other")
    _ = try directory.directory("other/last")
    try directory.setMode(0o710, of: other)
    for _ in 0..<3 {
      #expect(unsafe rename(folder, "\(folder)-away") == 0)
      #expect(unsafe rename(other, folder) == 0)
      #expect(unsafe rename("\(folder)-away", other) == 0)
      #expect(watch.takeAllChanges() != .none)
      #expect(!isKept(watch, last))
      for _ in 0..<2 { #expect(try compare(watch, last)) }
      try directory.setMode(0o711, of: folder)
      #expect(watch.takeAllChanges() != .none)
      #expect(try compare(watch, last))
      try directory.setMode(0o710, of: folder)
      #expect(watch.takeAllChanges() != .none)
      #expect(try compare(watch, last))
    }
  }
}
