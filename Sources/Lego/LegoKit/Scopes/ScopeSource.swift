internal import Synchronization

/// The store of a scope, without the type of its blueprint.
protocol ScopeSource<Design>: Sendable {
  associatedtype Design: Equatable & Sendable

  /// The same store, seen from a part of the part.
  func part<Part: Equatable & Sendable>(
    _ read: @escaping @Sendable (Design) -> Part?
  ) -> any ScopeSource<Part>

  /// Maintains the last design of a part of the part.
  ///
  /// - Parameters:
  ///   - marker: Knows whether the part around it has gone.
  ///   - find: Returns the lookup of the part. The argument is the current design.
  /// - Returns: The part, or `nil` if it does not exist.
  func watch<Part: Equatable & Sendable>(
    within marker: PartMarker?, _ find: (Design) -> PartLookup<Design, Part>?
  ) -> WatchedPart<Part>?
}

/// A part that can go, and how to observe it.
struct WatchedPart<Part: Equatable & Sendable>: Sendable {
  let marker: PartMarker
  let source: any ScopeSource<Part>
  let read: @Sendable () -> Part
  let observe: @Sendable (@escaping @Sendable (Part) -> Void) -> AnyCancellable
  let designs: Selection<Part>
}

/// Marks a part as gone.
///
/// A part that has gone never comes back, even if another with its ID appears.
final class PartMarker: Sendable {
  private let gone = Atomic(false)

  /// A Boolean value that indicates whether the part has gone.
  ///
  /// It is set under the store's lock.
  var isGone: Bool { gone.load(ordering: .acquiring) }

  func markAsGone() {
    gone.store(true, ordering: .releasing)
  }
}

/// The last design of a part that can go.
///
/// The store updates it under its lock, and does not keep it alive.
final class PartMemory<Part: Sendable>: Sendable {
  let marker = PartMarker()
  private let last: Mutex<Part>

  init(_ part: Part) {
    last = Mutex(part)
  }

  /// The part after the last change, or its last design if it has gone.
  var part: Part { last.withLock { $0 } }

  /// Takes the part of a new design.
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

/// A store, seen from a part of its design.
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
  /// Calls a closure with each value of a part that can go, until it goes.
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

  /// The designs of a part that can go.
  ///
  /// The sequence ends with the part.
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
