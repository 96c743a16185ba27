/// What a change does to a design that is made of parts.
///
/// It answers whether the change was applied; else the design is as it was, because the change is
/// one of a part that is not there.
@usableFromInline package typealias Rules<B: Blueprint> =
  @Sendable (inout B.Design, B.Change) -> Bool
