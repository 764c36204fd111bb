-- Slips of one kind are numbered without a gap; a number once given stays, void or not.
CREATE FUNCTION felt_slip() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.serial <> 1 + coalesce((SELECT max(serial) FROM slip WHERE kind = NEW.kind), 0) THEN
        RAISE EXCEPTION 'felt: slips of one kind are numbered without a gap';
    END IF;
    RETURN NEW;
END $$
--;
CREATE TRIGGER slip_follows BEFORE INSERT ON slip FOR EACH ROW EXECUTE FUNCTION felt_slip()
--;
CREATE TRIGGER period_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON period
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER slip_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON slip
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER slip_void_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON slip_void
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER signature_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON signature
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER stake_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON stake
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER task_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON task
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER task_done_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON task_done
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER person_is_kept BEFORE DELETE OR TRUNCATE ON person
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('a user is never deleted')
--;
