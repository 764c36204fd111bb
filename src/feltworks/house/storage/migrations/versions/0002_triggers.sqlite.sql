-- Slips of one kind are numbered without a gap; a number once given stays, void or not.
CREATE TRIGGER slip_follows BEFORE INSERT ON slip
WHEN NEW.serial <> 1 + coalesce((SELECT max(serial) FROM slip WHERE kind = NEW.kind), 0) BEGIN
    SELECT RAISE(ABORT, 'felt: slips of one kind are numbered without a gap');
END
--;
CREATE TRIGGER period_stays BEFORE UPDATE ON period BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER period_is_kept BEFORE DELETE ON period BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER slip_stays BEFORE UPDATE ON slip BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER slip_is_kept BEFORE DELETE ON slip BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER slip_void_stays BEFORE UPDATE ON slip_void BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER slip_void_is_kept BEFORE DELETE ON slip_void BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER signature_stays BEFORE UPDATE ON signature BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER signature_is_kept BEFORE DELETE ON signature BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER stake_stays BEFORE UPDATE ON stake BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER stake_is_kept BEFORE DELETE ON stake BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_stays BEFORE UPDATE ON task BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_is_kept BEFORE DELETE ON task BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_done_stays BEFORE UPDATE ON task_done BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_done_is_kept BEFORE DELETE ON task_done BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER person_is_kept BEFORE DELETE ON person BEGIN
    SELECT RAISE(ABORT, 'felt: a user is never deleted');
END
--;
