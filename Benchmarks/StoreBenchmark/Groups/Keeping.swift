import FoundationEssentials
import Glibc
import LegoKeeping
import LegoKit

/// Compares a store that keeps its design with the same store that does not.
///
/// During the measurement, the design is saved about fifty times per second.
@concurrent func measureKeeping() async {
  Report.shared.begin(
    "a build of a design that is kept, off the main actor",
    "one observer; saved each 20 ms meanwhile, on another thread")
  let place = StateDirectory.path("/tmp/lego-keeping-\(getpid())")
  let saving = Saving.after(.milliseconds(10), atMost: .milliseconds(20))
  let plain = Lego(Ledger.Design(entries: 100), blueprint: Ledger())
  let kept = Lego(
    Ledger.Design(entries: 100), blueprint: Ledger(),
    adaptors: [Keeping("ledger", in: place, saving: saving)])
  let tokens = [plain, kept].map { $0.onDesignChange { look($0.count) } }
  let costs = await measure(
    Operation("Lego.build") { for i in 0..<$0 { plain.build(.add(i | 1)) } },
    Operation("Lego.build, kept") { for i in 0..<$0 { kept.build(.add(i | 1)) } }, rounds: 41)
  compare("the same store, not kept", costs[1], to: costs[0], atMost: 1.1)
  withExtendedLifetime(tokens) {}
  await kept.close()
}

/// Compares the time to save one megabyte with the time of a handwritten implementation.
@concurrent func measureSaving() async {
  Report.shared.begin(
    "saving 1 MB", "encoded as JSON, written beside the file, synced, renamed, directory synced")
  let path = "/tmp/lego-keeping-\(getpid())"
  let keeper = Keeper<Ledger.Design>("megabyte", in: .path(path), saving: .whenAsked)
  let kept = Lego(
    Ledger.Design(entries: 16_500), blueprint: Ledger(), adaptors: [Keeping(keeper)])
  let hand = Lego(Ledger.Design(entries: 16_500), blueprint: Ledger())
  let costs = await measure(
    Operation("by hand", count: 4) { rounds in
      for i in 0..<rounds {
        hand.build(.add(i | 1))
        saveByHand(hand.design, in: path)
      }
    },
    Operation("Keeper.save", count: 4) { rounds in
      for i in 0..<rounds {
        kept.build(.add(i | 1))
        try? await keeper.save()
      }
    })
  compare("by hand", costs[1], to: costs[0], atMost: 1.2)
  await kept.close()
  for name in ["ledger.json", ".ledger.json.lock", "megabyte.json", ".megabyte.json.lock", "hand"] {
    unsafe unlink("\(path)/\(name)")
  }
  unsafe rmdir(path)
}

/// Saves a design as safely as the library does.
private func saveByHand(_ design: Ledger.Design, in path: String) {
  guard let data = try? JSONEncoder().encode(design) else { return }
  let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  let file = unsafe openat(directory, "part", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  var rest = data[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    if count < 0 { break }
    rest = rest.dropFirst(count)
  }
  fsync(file)
  close(file)
  unsafe renameat(directory, "part", directory, "hand")
  fsync(directory)
  close(directory)
}
