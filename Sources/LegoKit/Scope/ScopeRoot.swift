/// What a scope knows of the store around it.
protocol ScopeRoot<Design>: Sendable {
  associatedtype Design: Equatable & Sendable

  /// The same store, seen from a part of the part.
  func part<Part: Equatable & Sendable>(
    _ read: @escaping @Sendable (Design) -> Part?
  ) -> any ScopeRoot<Part>

  /// Watches a part of the part that may go.
  ///
  /// - Parameters:
  ///   - guardian: Says whether the part around it went.
  ///   - find: Finds the part, if the design has it now.
  /// - Returns: Its memory, or `nil` when it is not there.
  func watch<Part: Equatable & Sendable>(
    within guardian: PartGuard?, _ find: (Design) -> PartLookup<Design, Part>?
  ) -> WatchedPart<Part>?
}

/// A part that is watched, and where it stands in its store.
struct WatchedPart<Part: Equatable & Sendable>: Sendable {
  let memory: PartMemory<Part>
  let root: any ScopeRoot<Part>
  let current: @Sendable () -> Part
  let observe: @Sendable (@escaping @Sendable (Part) -> Void) -> AnyCancellable
  let designs: Selection<Part>
}

/// A store, seen from a part of its design.
struct StoreRoot<B: Blueprint, Design: Equatable & Sendable>: ScopeRoot {
  let lego: Lego<B>
  let read: @Sendable (B.Design) -> Design?

  func part<Part: Equatable & Sendable>(
    _ readPart: @escaping @Sendable (Design) -> Part?
  ) -> any ScopeRoot<Part> {
    StoreRoot<B, Part>(lego: lego) { [read] in read($0).flatMap(readPart) }
  }

  func watch<Part: Equatable & Sendable>(
    within guardian: PartGuard?, _ find: (Design) -> PartLookup<Design, Part>?
  ) -> WatchedPart<Part>? {
    let found = lego.watch { whole -> (PartMemory<Part>, @Sendable (B.Design) -> Part?)? in
      guard guardian?.isGone != true, let design = read(whole), let lookup = find(design),
        let part = lookup.read(design)
      else { return nil }
      return (PartMemory(part), { [read] in read($0).flatMap(lookup.read) })
    }
    guard let (memory, readPart) = found else { return nil }
    return WatchedPart(
      memory: memory, root: StoreRoot<B, Part>(lego: lego, read: readPart),
      current: { [lego] in
        lego.noteAccess()
        return memory.part
      },
      observe: { [lego] in lego.observe(memory.guardian, readPart, $0) },
      designs: lego.designs(memory.guardian, readPart))
  }
}
