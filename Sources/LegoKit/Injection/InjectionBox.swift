/// A value in an object, which is found faster by its class than a value by its type.
@usableFromInline final class InjectionBox<Value: Sendable>: InjectionBoxed {
  @usableFromInline let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// A box of any value.
@usableFromInline protocol InjectionBoxed: AnyObject, Sendable {}
