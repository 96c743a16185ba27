import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `What a watch remembers` {
  private func watch(_ machine: LinuxMachine, _ paths: [String]) throws -> LinuxWatch {
    try #require(try machine.watch(paths.map { .path($0) }) as? LinuxWatch)
  }

  @Test func `makes no other facts`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.link("link", to: "file")
    let file = try directory.file("file")
    let paths = [file, "\(directory.path)/link", "/dev/null", "/dev/video0", "\(file)/below"]
    let machine = LinuxMachine()
    let watch = try watch(machine, paths)
    for mode in [0o644, 0o600, 0o000] {
      try directory.setMode(mode, of: file)
      for path in paths {
        for subject in [SubjectSelector.ownProcess, .user("65534"), .process(getpid())] {
          let question = Question(.path(path), subject: subject)
          let facts = try machine.facts(for: question)
          let found = try machine.facts(for: question, watchedBy: watch)
          #expect(facts == found, "\(path) for \(subject)")
        }
      }
    }
  }

  @Test func `is read once, until something matters to all`() throws {
    let machine = LinuxMachine()
    let watch = try watch(machine, ["/dev/null"])
    let question = Question(.path("/dev/null"))
    _ = try machine.facts(for: question, watchedBy: watch)
    watch.wake()
    #expect(watch.takeTouched() == .all)
    let before = watch.memory.readCount
    #expect(before == 0)
    _ = try machine.facts(for: question, watchedBy: watch)
    #expect(watch.memory.readCount > 0)
  }

  @Test(.requiresRoot) func `is not that of other credentials`() async {
    await #expect(processExitsWith: .success) {
      let machine = LinuxMachine()
      let watch = try #require(try machine.watch([.path("/dev/null")]) as? LinuxWatch)
      let question = Question(.path("/dev/null"))
      _ = try machine.facts(for: question, watchedBy: watch)
      #expect(setegid(4711) == 0)
      let groups = try machine.facts(for: question, watchedBy: watch).access.subject.groups
      #expect(try machine.facts(for: question, watchedBy: watch).access.subject.egid == 4711)
      #expect(unsafe setgroups(2, [4712, 4713]) == 0)
      let others = try machine.facts(for: question, watchedBy: watch).access.subject.groups
      #expect(others == [4712, 4713] && groups != others)
      #expect(seteuid(65534) == 0)
      let subject = try machine.facts(for: question, watchedBy: watch).access.subject
      #expect(subject.euid == 65534 && subject.effective.isEmpty)
    }
  }
}
