internal import Synchronization

/// A store that a scope uses, with the type of its blueprint erased.
protocol ScopeSource<Design>: Sendable {
  associatedtype Design: Equatable & Sendable

  /// Returns a source for a nested part in the same store.
  func part<Part: Equatable & Sendable>(
    _ read: @escaping @Sendable (Design) -> Part?
  ) -> any ScopeSource<Part>

  /// Starts tracking a nested part that can be removed.
  ///
  /// - Parameters:
  ///   - marker: The marker of the enclosing part, or `nil` if that part cannot be removed.
  ///   - find: Returns the lookup for the part in the current design.
  /// - Returns: The part, or `nil` if it does not exist.
  func watch<Part: Equatable & Sendable>(
    within marker: PartMarker?, _ find: (Design) -> PartLookup<Design, Part>?
  ) -> WatchedPart<Part>?
}

/// A tracked part, with closures that read and observe it.
struct WatchedPart<Part: Equatable & Sendable>: Sendable {
  let marker: PartMarker
  let source: any ScopeSource<Part>
  let read: @Sendable () -> Part
  let observe: @Sendable (@escaping @Sendable (Part) -> Void) -> AnyCancellable
  let designs: Selection<Part>
}

/// Records whether a part was removed.
///
/// A removed part never comes back. If a part with the same ID is added later, it has its own
/// marker.
final class PartMarker: Sendable {
  private let gone = Atomic(false)

  /// A Boolean value that indicates whether the part was removed.
  var isGone: Bool { gone.load(ordering: .acquiring) }

  func markAsGone() {
    gone.store(true, ordering: .releasing)
  }
}

/// The last design of a part that can be removed.
///
/// The store updates the design and the marker while holding its lock. It keeps only a weak
/// reference to this object.
final class PartMemory<Part: Sendable>: Sendable {
  let marker = PartMarker()
  private let last: Mutex<Part>

  init(_ part: Part) {
    last = Mutex(part)
  }

  /// The current design of the part, or its last design if the part no longer exists.
  var part: Part { last.withLock { $0 } }

  /// Stores the part's current design, or marks the part as removed if it does not exist.
  ///
  /// - Returns: `false` if the part does not exist.
  func update(_ part: Part?) -> Bool {
    guard let part else {
      marker.markAsGone()
      return false
    }
    last.withLock { $0 = part }
    return true
  }
}

/// A store, together with a closure that reads one part of its design.
struct StoreSource<B: Blueprint, Design: Equatable & Sendable>: ScopeSource {
  let lego: Lego<B>
  let read: @Sendable (B.Design) -> Design?

  func part<Part: Equatable & Sendable>(
    _ readPart: @escaping @Sendable (Design) -> Part?
  ) -> any ScopeSource<Part> {
    StoreSource<B, Part>(lego: lego) { [read] in read($0).flatMap(readPart) }
  }

  func watch<Part: Equatable & Sendable>(
    within marker: PartMarker?, _ find: (Design) -> PartLookup<Design, Part>?
  ) -> WatchedPart<Part>? {
    typealias Read = @Sendable (B.Design) -> Part?
    let found = lego.maintain {
      whole -> ((PartMemory<Part>, Read), @Sendable (B.Design) -> Bool)? in
      guard marker?.isGone != true, let design = read(whole), let lookup = find(design),
        let part = lookup.find(design)
      else { return nil }
      let readWhole: Read = { [read] in read($0).flatMap(lookup.find) }
      let memory = PartMemory(part)
      return ((memory, readWhole), { [weak memory] in memory?.update(readWhole($0)) ?? false })
    }
    guard let (memory, readPart) = found else { return nil }
    return WatchedPart(
      marker: memory.marker, source: StoreSource<B, Part>(lego: lego, read: readPart),
      read: { [lego] in
        lego.noteAccess()
        return memory.part
      },
      observe: { [lego] in lego.observe(memory.marker, readPart, $0) },
      designs: lego.designs(memory.marker, readPart))
  }
}

extension Lego {
  /// Calls a closure each time a part changes, until the part is removed.
  fileprivate func observe<Part: Equatable & Sendable>(
    _ marker: PartMarker, _ read: @escaping @Sendable (B.Design) -> Part?,
    _ body: @escaping @Sendable (Part) -> Void
  ) -> AnyCancellable {
    let last = LastValue<Part>()
    let end = PartMarker()
    return token(
      for: Observer(
        start: { record in
          guard !marker.isGone, let part = read(record.after) else { return end.markAsGone() }
          last.replace(with: part)
        },
        design: { design in
          if end.isGone { return }
          guard let part = read(design) else { return end.markAsGone() }
          if last.replace(with: part) { body(part) }
        }))
  }

  /// Returns the designs of a part that can be removed.
  ///
  /// The sequence ends when the part is removed.
  fileprivate func designs<Part: Equatable & Sendable>(
    _ marker: PartMarker, _ read: @escaping @Sendable (B.Design) -> Part?
  ) -> Selection<Part> {
    Selection { [weak self] notify, end in
      let isOver = PartMarker()
      let observer = Observer<B>(
        start: { record in
          if !marker.isGone, let part = read(record.after) { return notify(part) }
          isOver.markAsGone()
          end()
        },
        change: { record in
          if isOver.isGone { return }
          if let part = read(record.after) { return notify(part) }
          isOver.markAsGone()
          end()
        }, end: end)
      let token = self?.token(for: observer)
      return isOver.isGone ? nil : token
    }
  }
}
