import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import DeviceWatching
@testable import LinuxDevices

/// Facts that are reused for a similar file must match a scan of the file itself.
@Suite(.timeLimit(.minutes(5))) struct `Facts of files that are alike` {
  private let machine = LinuxMachine()

  /// - Returns: The number of questions that require only a scan of the file.
  @discardableResult
  private func compare(
    _ questions: [Question], _ watch: LinuxWatch, _ remark: Comment? = nil
  ) throws -> Int {
    let found = try machine.facts(for: questions, watchedBy: watch)
    let known = watch.cache.similarFiles
    let count = questions.filter { SimilarFileFacts.scan(for: $0, knowing: known) != nil }.count
    _ = watch.cover(
      Dictionary(uniqueKeysWithValues: found.enumerated().map { ($0.offset, $0.element) }),
      pollingEvery: .seconds(3600))
    try #require(found.count == questions.count)
    for (question, facts) in zip(questions, found) {
      #expect(try machine.facts(for: question) == facts, remark)
    }
    return count
  }

  private func watch(_ paths: [String]) throws -> LinuxWatch {
    try #require(try machine.watch(paths.map { .path($0) }) as? LinuxWatch)
  }

  @Test func `are those of each file, whatever becomes of it`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let paths = try (0..<12).map { try directory.file("\($0)") }
    try directory.link("link", to: "3")
    // Modes are set through links, so no link may lead out of the directory.
    try directory.file("target")
    let others = [
      "\(directory.path)/link", "\(directory.path)/../\(directory.path)/4", "\(directory.path)//5",
      "\(directory.path)/.", "\(directory.path)/missing", "\(directory.path)/6/below", "/dev/null",
    ]
    let watch = try watch(paths + others)
    var generator = SystemRandomNumberGenerator()
    var takenOver = 0
    for round in 0..<60 {
      for path in paths {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
          #expect(unsafe unlink(path) == 0)
          if Bool.random() {
            #expect(unsafe mkfifo(path, 0o640) == 0)
          } else {
            #expect(unsafe symlink("target", path) == 0)
          }
        case 1 where unsafe access(path, F_OK) == 0:
          #expect(unsafe unlink(path) == 0)
          #expect(unsafe mkdir(path, 0o700) == 0)
          #expect(unsafe rmdir(path) == 0)
          close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        default: _ = unsafe chmod(path, mode_t.random(in: 0...0o777))
        }
      }
      if round.isMultiple(of: 7) {
        try directory.setMode(Int.random(in: 0o700...0o777), of: directory.path)
      }
      _ = watch.takeAllChanges()
      let wanted: Permissions? = [nil, .read, .write, [.read, .write], .execute].randomElement()!
      let subject: SubjectSelector = Bool.random() ? .ownProcess : .user("65534")
      let questions = (paths + others).map { path in
        Question(.path(path), wanted: wanted, subject: subject)
      }
      takenOver += try compare(questions, watch, "round \(round)")
    }
    // If the kernel does not report the mount of a file, no facts are reused.
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    _ = observer.scan(at: paths[0])
    let isWhole = observer.sighting(paths[0]).map { $0.mountID != nil && $0.reportsFlags } ?? false
    #expect((takenOver > 100) == isWhole)
  }

  @Test(.requiresRoot) func `are not those of another owner, list, number or mount`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.setMode(0o755, of: directory.path)
    let paths = try (0..<8).map { try directory.file("\($0)") }
    let watch = try watch(paths)
    let questions = paths.flatMap { path in
      [SubjectSelector.ownProcess, .user("65534"), .user("1")].map {
        Question(.path(path), wanted: .read, subject: $0)
      }
    }
    for round in 0..<40 {
      for path in paths {
        switch Int.random(in: 0..<6) {
        case 0:
          _ = unsafe chown(path, [0, 1, 65534].randomElement()!, [0, 1, 65534].randomElement()!)
        case 1:
          _ = unsafe unlink(path)
          // 1:3, 1:5 and 81:77 in the kernel's old encoding.
          let number: dev_t = [0x103, 0x105, 0x514d].randomElement()!
          _ = unsafe mknod(path, S_IFCHR | mode_t.random(in: 0...0o777), number)
        case 2:
          _ = unsafe unlink(path)
          close(unsafe open(path, O_CREAT | O_WRONLY, 0o644))
        default: _ = unsafe chmod(path, mode_t.random(in: 0...0o777))
        }
      }
      _ = watch.takeAllChanges()
      try compare(questions, watch, "round \(round)")
    }
  }
}
