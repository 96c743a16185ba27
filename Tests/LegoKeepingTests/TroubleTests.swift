import Foundation
import Glibc
import LegoKeeping
import LegoKit
import LegoSamples
import LinuxTestSupport
import Testing

@Suite struct `When a design cannot be saved` {
  @Test(.requiresPrivateMounts)
  func `because the disk is full, the old file stays, and it is tried again`() async {
    await #expect(processExitsWith: .success) {
      let trouble = try Trouble()
      try await trouble.reports.during {
        try trouble.mount(options: "size=64k,mode=700")
        let keeper = trouble.folder.keeper(
          saving: .after(.milliseconds(1), atMost: .milliseconds(1)))
        let lego = trouble.folder.store(keeper)
        let filler = unsafe openat(trouble.directory, "filler", O_WRONLY | O_CREAT, 0o600)
        lego.build(.text("before"))
        try await keeper.save()
        let block = [UInt8](repeating: 1, count: 4_096)
        while unsafe write(filler, block, block.count) > 0 {}

        lego.build(.text("after"))
        let error = await trouble.failure(of: keeper)
        try trouble.check(error?.code == .notWritten && error?.errno == ENOSPC, "\(error as Any)")
        try trouble.check(trouble.text().contains("before"), trouble.text())
        let isReported = await eventually { !trouble.reports.lines.isEmpty }
        try trouble.check(isReported, "nothing was reported")
        try trouble.check(
          trouble.reports.lines.first?.contains("No space left on device (write); not saved, will")
            == true, "\(trouble.reports.lines)")
        try trouble.check(ftruncate(filler, 0) == 0, "ftruncate")
        let isSaved = await eventually { trouble.text().contains("after") }
        try trouble.check(isSaved, "it was not tried again")
        try trouble.check(trouble.reports.lines.count == 1, "\(trouble.reports.lines)")
        await lego.close()
      }
    }
  }

  @Test(.requiresPrivateMounts)
  func `because the file system is read-only, it is restored all the same`() async {
    await #expect(processExitsWith: .success) {
      let trouble = try Trouble()
      try await trouble.reports.during {
        try trouble.mount(options: "mode=700")
        try trouble.folder.write("notes.json", Trouble.kept)
        try PrivateMachine.change(trouble.folder.path, flags: PrivateMachine.readOnly)
        try await trouble.expectRefusal(errno: EROFS)
      }
    }
  }

  @Test(.requiresRoot)
  func `because the directory may not be written, it is restored all the same`() async {
    await #expect(processExitsWith: .success) {
      let trouble = try Trouble()
      try await trouble.reports.during {
        try trouble.folder.write("notes.json", Trouble.kept)
        let paths = [trouble.folder.path, trouble.folder.path(of: "notes.json")]
        for path in paths { try SystemError.check(unsafe chown(path, 65_534, 65_534), "chown") }
        try SystemError.check(unsafe chmod(trouble.folder.path, 0o500), "chmod")
        // Both are opened before the process loses the way to them.
        try trouble.open()
        try PrivateMachine.become(user: 65_534, group: 65_534)
        try await trouble.expectRefusal(errno: EACCES)
        try SystemError.check(fchmod(trouble.directory, 0o700), "fchmod")
        let isSaved = await eventually { trouble.text().contains("new") }
        try trouble.check(isSaved, "it was not tried again")
      }
    }
  }

  @Test func `because no descriptor is left, nothing is overwritten`() async {
    await #expect(processExitsWith: .success) {
      let trouble = try Trouble()
      try await trouble.reports.during {
        // What the process needs for itself, it has from here on.
        let other = Folder()
        let ready = other.store(other.keeper(saving: .automatic))
        await ready.close()
        try await Task.sleep(for: .milliseconds(1))
        try trouble.folder.write("notes.json", Trouble.kept)

        var taken: [Int32] = []
        var limit = rlimit(rlim_cur: 128, rlim_max: 128)
        try SystemError.check(unsafe setrlimit(__rlimit_resource_t(7), &limit), "setrlimit")
        while true {
          let number = unsafe Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
          if number < 0 { break }
          taken.append(number)
        }
        let keeper = trouble.folder.keeper()
        let lego = trouble.folder.store(keeper)
        lego.build(.text("new"))
        let error = await trouble.failure(of: keeper)
        let first = trouble.reports.lines
        for number in taken { close(number) }
        try trouble.check(error?.code == .noDirectory && error?.errno == EMFILE, "\(error as Any)")
        try trouble.check(first.count == 1, "\(first)")
        try trouble.check(trouble.folder.text("notes.json") == Trouble.kept, "it was overwritten")
        try await keeper.save()
        // The design was never restored, so that what lay there is another's as well.
        try trouble.check(
          trouble.folder.text("notes.json.replaced-1") == Trouble.kept, "it was lost")
        try trouble.check(trouble.folder.notes().text == "new", "it was not saved")
        await lego.close()
      }
    }
  }

  @Test func `because there is no place for it, that is said once`() async throws {
    let reports = Reports()
    await reports.during {
      let keeper = Keeper<Notes.Design>("notes", in: .path("relative"), saving: .whenAsked)
      let lego = Lego(.init(), blueprint: Notes(), adaptors: [Keeping(keeper)])
      lego.build(.text("lost"))
      let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
      #expect(error?.code == .noDirectory)
      await lego.close()
    }
    #expect(reports.lines.count == 1)
    #expect(reports.lines.first?.contains("no home directory is known") == true)
  }

  @Test(.requiresRoot)
  func `because the directory is another user's, nothing is written there`() async throws {
    for inner in ["", "/inner"] {
      let folder = Folder()
      try folder.make()
      try SystemError.check(unsafe chown(folder.path, 65_534, 65_534), "chown")
      let reports = Reports()
      await reports.during {
        let keeper = Keeper<Notes.Design>(
          "notes", in: .path(folder.path + inner), saving: .whenAsked)
        let lego = Lego(.init(), blueprint: Notes(), adaptors: [Keeping(keeper)])
        lego.build(.text("astray"))
        let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
        #expect(error?.code == .unsafeDirectory)
        #expect(error?.description.contains("belongs to user 65534") == true)
        await lego.close()
      }
      #expect(reports.lines.count == 1)
      #expect(folder.files == [] && folder.hidden == [])
      // It is tried again until it is saved.
      try SystemError.check(unsafe chown(folder.path, 0, 0), "chown")
      #expect(await eventually { folder.text(inner.dropFirst() + "/notes.json") != nil })
    }
  }

  @Test func `because another program holds the lock, its path can be asked for`() async throws {
    let folder = Folder()
    try folder.make()
    let lock = unsafe open(
      folder.path(of: ".notes.json.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    lego.build(.text("later"))
    async let saving: Void = keeper.save()
    // It begins to write, and waits.
    try await Task.sleep(for: .milliseconds(50))
    #expect(keeper.path == folder.path(of: "notes.json"))
    close(lock)
    try await saving
    await lego.close()
    #expect(keeper.path == folder.path(of: "notes.json"))
  }

  @Test func `because another program holds the lock, nobody hangs`() async throws {
    let folder = Folder()
    try folder.make()
    let lock = unsafe open(
      folder.path(of: ".notes.json.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    let keeper = folder.keeper()
    let lego = folder.store(keeper)
    lego.build(.text("later"))
    let error = await #expect(throws: KeepingError.self) { try await keeper.save() }
    #expect(error?.code == .busy)
    close(lock)
    await lego.close()
    #expect(folder.notes().text == "later")
  }
}
